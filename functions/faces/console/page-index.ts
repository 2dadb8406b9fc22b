import { OPERATOR_PERMISSIONS } from '../../kernel/authentication/operator-permission.ts';
import type { ConsolePage } from './page/declare.ts';
import type { Visit } from './page/visit.ts';
import { loadSections, type SectionName } from './sections.ts';

/** The part of a page's declaration that the menu, the router and the pages above and below it need. */
export interface PageEntry extends Pick<
  ConsolePage,
  'path' | 'title' | 'permission' | 'menu' | 'parent' | 'isOfStage'
> {
  /** The part of the console that has the page. */
  section: SectionName;
  /** The operation of the page's main part, without which there is no page. */
  operation?: string | undefined;
}

/** All pages, without their calls and views. */
export interface PageIndex {
  /** The pages in the order of the menu. */
  pages: readonly PageEntry[];
  /** The sentence after an act, by its name: an act may lead to a page that has no such act. */
  done: Readonly<Record<string, string>>;
}

let index: Promise<PageIndex> | undefined;

/** Returns the index of all pages. A bundle contains it as a constant (`lib/stack/lean.ts`), so that it loads no page to make a menu. */
export const readPageIndex = (): Promise<PageIndex> => (index ??= makeIndex());

async function makeIndex(): Promise<PageIndex> {
  const sections = await loadSections();
  const acts = sections.flatMap(({ pages }) => pages.flatMap((page) => page.acts));
  return {
    pages: sections.flatMap(({ section, pages }) => pages.map((page) => makeEntry(section, page))),
    done: Object.fromEntries(acts.toReversed().map(({ name, done }) => [name, done])),
  };
}

function makeEntry(section: SectionName, page: ConsolePage): PageEntry {
  const { path, title, permission, menu, parent, isOfStage, main } = page;
  const operation = main === undefined ? undefined : page.calls(sampleVisit(path))[main]?.operation;
  return { section, path, title, permission, menu, parent, isOfStage, operation };
}

/** A visit whose parameters are their own names. The operation of a main part depends on no visit, which a test checks. */
const sampleVisit = (path: string): Visit => ({
  operator: {
    id: 'user',
    name: null,
    email: '',
    environments: [],
    home: undefined,
    isByLink: false,
    isEmergency: false,
    binding: '',
  },
  environment: {
    id: 'environment',
    name: '',
    color: null,
    isProduction: false,
    permissions: new Set(OPERATOR_PERMISSIONS),
  },
  params: Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, name])),
  query: new URLSearchParams(),
  path,
  now: 0,
});
