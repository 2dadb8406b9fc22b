import { type Html, html } from '../../kernel/pages/html.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { tableOr } from '../view/parts.ts';
import { state, tags, when } from '../view/values.ts';
import type { OwnedKey } from './types.ts';

/** The table of the API keys that a user or an organization has. */
export const renderKeys = (keys: readonly OwnedKey[]): Html =>
  tableOr(
    'API keys',
    [
      { title: 'Name', cell: (each) => each.name },
      { title: 'Value', cell: (each) => html`<code>${each.obfuscated_value}</code>` },
      { title: 'Permissions', cell: (each) => tags(each.permissions) },
      { title: 'Last used', look: 'when', cell: (each) => when(each.last_used_at) },
    ],
    keys,
    'No API keys.',
  );

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
