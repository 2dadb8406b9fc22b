import { type Html, html } from '../../../kernel/pages/html.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { tableOr } from '../view/parts.ts';
import { state } from '../view/values.ts';

/** A feature flag in responses of the API. */
export interface Flag {
  slug: string;
  name: string;
  enabled: boolean;
}

/** The table of the feature flags that apply to a user or an organization. @param none The sentence for a table without rows */
export const renderFlags = (visit: Visit, flags: readonly Flag[], none: string): Html =>
  tableOr(
    'Feature flags',
    [
      { title: 'Flag', cell: (each) => html`<a href="${addressIn(visit, 'flags', each.slug)}">${each.name}</a>` },
      { title: 'State', cell: (each) => state(each.enabled ? 'enabled' : 'disabled') },
    ],
    flags,
    none,
  );
