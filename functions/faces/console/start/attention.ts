import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Visit } from '../page/visit.ts';
import { empty, type List } from '../view/parts.ts';
import { record, state, when } from '../view/values.ts';

/** A condition that needs attention, in responses of the API. */
export interface Attention {
  kind: string;
  severity: 'problem' | 'warning' | 'notice';
  id: string | null;
  name: string | null;
  time: string | null;
  message: string;
}

const LOOKS = { problem: 'bad', warning: 'wait', notice: '' } as const;

/** The list of conditions that need attention. */
export const renderAttention = (visit: Visit, { data }: List<Attention>): Html =>
  data.length === 0
    ? empty('Nothing needs attention.')
    : html`<ul class="attention">
        ${data.map(
          ({ severity, id, name, time, message }) =>
            html`<li>
              ${state(severity, LOOKS[severity])} <span>${message}</span> ${record(visit, id, name)} ${when(time)}
            </li>`,
        )}
      </ul>`;
