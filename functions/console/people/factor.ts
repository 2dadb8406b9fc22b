import { html } from '../../kernel/pages/html.ts';
import { type EventRecord, timeline } from '../activity/event-lines.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import { facts, frame, type List, panel } from '../view/parts.ts';
import { code, when } from '../view/values.ts';
import type { Factor, User } from './types.ts';
import { userHeading } from './user-heading.ts';

/** The time within which a change of an address or a phone number is a warning, in milliseconds. */
const RECENT_MS = 7 * 86_400_000;

const reset: Act = {
  name: 'reset-factor',
  label: 'Reset this factor',
  operation: 'auth_factors.delete',
  call: (_, { params }) => call('auth_factors.delete', { id: params.factor }),
  done: 'The factor is removed. The user sets up another one at the next sign-in, if the environment asks for one.',
  next: (visit) => addressIn(visit, 'users', visit.params.id ?? ''),
};

/** Reports whether an event changes how a person is reached, or how they prove who they are. */
const isTakeoverSign = ({ event, context }: EventRecord): boolean => {
  const previous = context?.previous_attributes as Record<string, unknown> | null | undefined;
  return (
    /password_reset|email_change|phone/.test(event) ||
    (event === 'user.updated' && previous !== null && previous !== undefined && 'email' in previous)
  );
};

/**
 * The reset of a second factor. Callers talk support into it, so the page first shows recent sign-ins and changes, and warns of
 * those of the last seven days.
 */
export const factorPage = consolePage({
  path: 'e/{environment}/users/{id}/factors/{factor}',
  title: 'Reset a factor',
  permission: 'people.read',
  parent: 'e/{environment}/users/{id}',
  main: 'factor',
  acts: [reset],
  calls: ({ params: { id, factor } }) => ({
    user: call<User>('users.get', { id }),
    factor: call<Factor & { user_id?: string }>('auth_factors.get', { id: factor }),
    events: call<List<EventRecord>>('events.list_by_subject', {}, { subject: id, limit: 50, order: 'desc' }),
  }),
  heading: ({ user }) => ({ ...userHeading(user), title: 'Reset a second factor' }),
  view: ({ user, factor, events }, visit) => {
    const isOfUser = factor.state === 'shown' && factor.value.user_id === visit.params.id;
    const recent = events.state === 'shown' ? events.value.data : [];
    const signs = recent.filter((each) => isTakeoverSign(each) && visit.now - Date.parse(each.created_at) < RECENT_MS);
    return html`${
        signs.length > 0 &&
        html`<p class="alert">
          Careful: within the last seven days an address, a phone number or the password of this account was changed
          (${signs.length} ${signs.length === 1 ? 'time' : 'times'}). An attacker with an account does that first.
        </p>`
      }
      <div class="columns">
        <div>
          ${panel('Recent sign-ins and changes', events, ({ data }) => timeline(visit, data, 'Nothing happened within the retention of events.'))}
        </div>
        <div>
          ${panel('Factor', factor, (value) =>
            facts([
              ['Kind', value.type === 'totp' ? 'Authenticator app' : value.type.toUpperCase()],
              ['Of', value.sms?.phone_number ?? value.totp?.user],
              ['Id', code(value.id)],
              ['Since', when(value.created_at)],
            ]),
          )}
          ${
            isOfUser &&
            user.state === 'shown' &&
            frame(
              'Reset',
              html`<div class="pad">
                <p class="hint">
                  Call back on a number that you know, or ask a colleague, before you believe a caller.
                </p>
                ${renderAct(visit, reset, {
                  fields: {},
                  effect: `Removes the factor of ${user.value.email}. It cannot be undone.`,
                  look: 'danger',
                })}
              </div>`,
            )
          }
        </div>
      </div>`;
  },
});
