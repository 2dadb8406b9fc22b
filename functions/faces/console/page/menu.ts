import { isOperatorsEnvironment } from '../../../kernel/authentication/environment-id.ts';
import type { PageEntry } from '../page-index.ts';
import { MENU_GROUPS, type MenuGroup } from './declare.ts';
import { type Crumb, type MenuSection, pageAddress } from './layout.ts';
import { hasPermission, mayCall } from './run-calls.ts';
import type { Visit } from './visit.ts';

const ENVIRONMENT = 'e/{environment}';

/** The groups of the menu in the environment of the operators, which has no keys, agents or applications. */
const HOME_GROUPS: readonly MenuGroup[] = ['', 'Stage', 'People', 'Sign-in', 'Access', 'Activity'];

/** The path of a page below the environment. */
const below = (path: string): string => path.slice(ENVIRONMENT.length + 1);

/** Reports whether an operator has a page: it exists, it is permitted, and the service has the operation that it shows. */
export function hasPage(page: PageEntry, visit: Pick<Visit, 'environment'>): boolean {
  const { permission, menu, operation, isOfStage = false } = page;
  if (page.path.startsWith(ENVIRONMENT) && visit.environment === undefined) return false;
  if (permission !== undefined && !hasPermission(permission, visit.environment)) return false;
  const isHome = isOperatorsEnvironment(visit.environment?.id ?? '');
  if (isOfStage ? !isHome : isHome && menu !== undefined && !HOME_GROUPS.includes(menu.group)) return false;
  return operation === undefined || mayCall(operation, visit.environment);
}

/** The menu of an environment: the pages that the operator has, in groups. */
export function listMenu(pages: readonly PageEntry[], visit: Visit, current: Pick<PageEntry, 'path'>): MenuSection[] {
  const isWithin = ({ path, menu }: PageEntry): boolean =>
    menu !== undefined && (current.path === path || (path !== ENVIRONMENT && current.path.startsWith(`${path}/`)));
  // A page below several entries of the menu belongs to the nearest one.
  const nearest = pages.filter(isWithin).toSorted((one, other) => other.path.length - one.path.length)[0];
  return MENU_GROUPS.flatMap((title) => {
    const links = pages
      .filter((page) => page.menu?.group === title && hasPage(page, visit))
      .map((page) => ({
        title: page.title,
        address: pageAddress(visit, below(page.path)),
        shortcut: page.menu?.shortcut,
        isCurrent: page === nearest,
      }));
    return links.length === 0 ? [] : [{ title, links }];
  });
}

/** The pages above a page, from the environment on. */
export function listCrumbs(
  pages: readonly PageEntry[],
  visit: Visit,
  page: Pick<PageEntry, 'path' | 'parent'>,
): Crumb[] {
  if (visit.environment === undefined || page.path === ENVIRONMENT) return [];
  const crumbs: Crumb[] = [];
  let parent = pages.find(({ path }) => path === page.parent);
  while (parent !== undefined) {
    const { path, title, parent: next } = parent;
    const filled = below(path).replaceAll(/\{(\w+)\}/g, (_, name: string) => visit.params[name] ?? '');
    crumbs.unshift({ title, address: pageAddress(visit, filled) });
    parent = pages.find((each) => each.path === next);
  }
  return [{ title: visit.environment.name, address: pageAddress(visit, '') }, ...crumbs];
}
