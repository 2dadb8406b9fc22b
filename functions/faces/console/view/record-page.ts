import type { OperatorPermission } from '../../../kernel/authentication/operator-permission.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import {
  type Act,
  call,
  type Calls,
  type ConsolePage,
  consolePage,
  type Heading,
  type MenuEntry,
  type Part,
  type Parts,
} from '../page/declare.ts';
import { changeAct, type ChangeUse, renderChange } from '../page/change.ts';
import type { Visit } from '../page/visit.ts';
import { members, panel } from './parts.ts';
import { type Removal, renderRemoval } from './removal.ts';
import { code, state } from './values.ts';

interface RecordPage {
  path: string;
  title: string;
  permission: OperatorPermission;
  menu?: MenuEntry;
  parent?: string;
  operation: string;
  /** The parameters of the operation's path; those of the page's path by default. */
  params?: (visit: Visit) => Readonly<Record<string, string>>;
  /** Further calls, whose parts `more` shows. */
  calls?: (visit: Visit) => Calls;
  /** Panels next to the record. */
  more?: (parts: Parts<Calls>, visit: Visit) => Html;
  /** The sentence for a record that is not set. */
  none?: string;
  acts?: readonly Act[];
  /** The operation that changes the record, or several: see `page/change.ts`. */
  change?: string | readonly ChangeUse[];
  /** The act that deletes the record, which is shown apart. */
  removal?: Removal;
  /** True for settings, which have no name of their own. */
  isSettings?: boolean;
}

interface Named {
  id?: string;
  name?: string;
  slug?: string;
  state?: string;
  status?: string;
}

const presentHeading = (part: Part<unknown> | undefined): Heading | undefined => {
  if (part?.state !== 'shown') return undefined;
  const { name, slug, id, state: own, status } = part.value as Named;
  const title = name ?? slug;
  if (title === undefined) return undefined;
  return { title, lead: html`${state(own ?? status)}${code(id)}` };
};

/** Declares the page of one record or of settings: all its members that are no secrets, and further panels. */
export const recordPage = (own: RecordPage): ConsolePage => {
  const { change: uses = [], removal } = own;
  const changes = (typeof uses === 'string' ? [{ operation: uses }] : uses).map(changeAct);
  return consolePage({
    path: own.path,
    title: own.title,
    permission: own.permission,
    ...(own.menu && { menu: own.menu }),
    ...(own.parent !== undefined && { parent: own.parent }),
    acts: [...(own.acts ?? []), ...changes, ...(removal === undefined ? [] : [removal.act])],
    // Settings that are not set are a page with a sentence.
    ...(own.none === undefined && { main: 'record' }),
    calls: (visit): Calls => ({
      record: call(own.operation, own.params?.(visit) ?? withoutEnvironment(visit)),
      ...own.calls?.(visit),
    }),
    heading: (parts) => (own.isSettings === true ? undefined : presentHeading(parts.record)),
    view: (parts, visit) => {
      const part = parts.record ?? { state: 'absent' };
      const forms = changes.map((change) => renderChange(visit, change, part, own.title));
      const record = panel(
        own.title,
        part,
        (value) =>
          html`<div class="pad">${members(value)}</div>
            ${forms}`,
        {
          ...(own.none !== undefined && { none: own.none }),
        },
      );
      const whole = html`${record}${removal !== undefined && part.state === 'shown' && renderRemoval(visit, removal, part.value)}`;
      if (own.more === undefined) return html`${whole}`;
      return html`<div class="columns">
        <div>${own.more(parts, visit)}</div>
        <div>${whole}</div>
      </div>`;
    },
  });
};

const withoutEnvironment = ({ params }: Visit): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'environment'));
