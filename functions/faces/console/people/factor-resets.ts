import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Part } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { code, small, state, when } from '../view/values.ts';

/** A delayed reset of a factor, in responses of the API. */
export interface FactorReset {
  id: string;
  factor_id: string;
  state: string;
  operator: { id: string; name: string | null };
  executes_at: string;
}

export const cancelReset: Act = {
  name: 'cancel-reset',
  label: 'Cancel',
  operation: 'factor_resets.cancel',
  call: ({ reset }, { params }) => call('factor_resets.cancel', { userId: params.id, id: reset }),
  done: 'The reset is cancelled: the factor stays.',
};

const LOOKS = { pending: 'wait', done: 'good', stopped: 'bad', cancelled: 'plain' } as const;

/** The resets of a user that wait or were finished in the last 30 days; nothing without one. */
export const renderResets = (visit: Visit, part: Part<List<FactorReset>>) =>
  part.state === 'shown' && part.value.data.length === 0
    ? undefined
    : panel('Delayed resets of factors', part, ({ data }) =>
        tableOr(
          'Delayed resets of factors',
          [
            { title: 'Factor', cell: (each) => code(each.factor_id) },
            { title: 'State', cell: (each) => state(each.state, LOOKS[each.state as keyof typeof LOOKS]) },
            {
              title: 'Begun by',
              cell: (each) => html`${each.operator.name ?? each.operator.id}${small(each.operator.id)}`,
            },
            { title: 'Removes it', look: 'when', cell: (each) => when(each.executes_at) },
            {
              title: 'Change',
              cell: (each) =>
                each.state === 'pending' &&
                renderAct(visit, cancelReset, {
                  fields: { reset: each.id },
                  effect: 'The factor stays. The user gets no further mail.',
                  of: each.factor_id,
                }),
            },
          ],
          data,
          'No resets.',
        ),
      );
