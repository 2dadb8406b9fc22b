import { type Html, html } from '../../kernel/pages/html.ts';
import type { Visit } from '../page/visit.ts';
import { empty } from '../view/parts.ts';
import { record, state, when } from '../view/values.ts';

/** Conditions that need attention, in responses of the API. */
export interface Attention {
  data: {
    kind?: string;
    severity?: string;
    message?: string;
    title?: string;
    subject?: string | null;
    record_id?: string | null;
    since?: string | null;
    at?: string | null;
  }[];
}

/** The list of conditions that need attention. */
export const renderAttention = (visit: Visit, { data }: Attention): Html =>
  data.length === 0
    ? empty('Nothing needs attention.')
    : html`<ul class="attention">
        ${data.map((each) => {
          const about = each.subject ?? each.record_id;
          return html`<li>
            ${state(each.severity ?? each.kind, each.severity === 'error' ? 'bad' : 'wait')}
            <span>${each.message ?? each.title}</span>
            ${record(visit, about)} ${when(each.since ?? each.at)}
          </li>`;
        })}
      </ul>`;
