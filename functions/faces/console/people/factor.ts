import { type Html, html } from '../../../kernel/pages/html.ts';
import { type EventRecord, timeline } from '../activity/event-lines.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type ConsolePage, consolePage, type Part, type Parts } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { facts, frame, type List, panel } from '../view/parts.ts';
import { code, when } from '../view/values.ts';
import { cancelReset, type FactorReset, renderResets } from './factor-resets.ts';
import type { Factor, User } from './types.ts';
import { userHeading } from './user-heading.ts';

/** The time within which a change of an address or a phone number is a warning, in milliseconds. */
const RECENT_MS = 7 * 86_400_000;

const RESET_DONE =
  'The user gets a mail. The factor is removed, or waits for the delay that the environment has set; then it is below. The user sets up another one at the next sign-in, if the environment asks for one.';

const reset: Act = {
  name: 'reset-factor',
  label: 'Reset this factor',
  operation: 'auth_factors.delete',
  call: (_, { params }) => call('auth_factors.delete', { id: params.factor }),
  done: RESET_DONE,
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

const resetPasskey: Act = {
  name: 'reset-passkey',
  label: 'Remove this passkey',
  operation: 'passkeys.delete',
  call: (_, { params }) => call('passkeys.delete', { id: params.passkey }),
  done: RESET_DONE,
  next: (visit) => addressIn(visit, 'users', visit.params.id ?? ''),
};

interface Passkey {
  id: string;
  user_id?: string;
  name: string | null;
  last_used_at: string | null;
  created_at: string;
}

/** The calls of a page that resets a factor, without that of the factor. */
const readSurroundings = (id: string | undefined) => ({
  user: call<User>('users.get', { id }),
  events: call<List<EventRecord>>('events.list_by_subject', {}, { subject: id, limit: 50, order: 'desc' }),
  resets: call<List<FactorReset>>('factor_resets.list', { userId: id }),
});

type Surroundings = Parts<ReturnType<typeof readSurroundings>>;

/**
 * The content of a page that resets a factor. Callers talk support into it, so it first shows recent sign-ins and changes, and warns
 * of those of the last seven days.
 */
function renderReset(
  visit: Visit,
  { user, events, resets }: Surroundings,
  { act, facts: content, isOfUser }: { act: Act; facts: Html | undefined; isOfUser: boolean },
): Html {
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
        ${content} ${renderResets(visit, resets)}
        ${
          isOfUser &&
          user.state === 'shown' &&
          frame(
            'Reset',
            html`<div class="pad">
              <p class="hint">Call back on a number that you know, or ask a colleague, before you believe a caller.</p>
              ${renderAct(visit, act, {
                fields: {},
                effect: `Removes it from the account of ${user.value.email}, who gets a mail. The environment may delay the removal; then the mail has a link that stops it.`,
                look: 'danger',
              })}
            </div>`,
          )
        }
      </div>
    </div>`;
}

/** The reset of a second factor. */
export const factorPage: ConsolePage = consolePage({
  path: 'e/{environment}/users/{id}/factors/{factor}',
  title: 'Reset a factor',
  permission: 'people.read',
  parent: 'e/{environment}/users/{id}',
  main: 'factor',
  acts: [reset, cancelReset],
  calls: ({ params: { id, factor } }) => ({
    factor: call<Factor & { user_id?: string }>('auth_factors.get', { id: factor }),
    ...readSurroundings(id),
  }),
  heading: ({ user }) => ({ ...userHeading(user), title: 'Reset a second factor' }),
  view: ({ factor, ...parts }, visit) =>
    renderReset(visit, parts, {
      act: reset,
      isOfUser: isOwned(factor, visit),
      facts: panel('Factor', factor, (value) =>
        facts([
          ['Kind', value.type === 'totp' ? 'Authenticator app' : value.type.toUpperCase()],
          ['Of', value.sms?.phone_number ?? value.totp?.user],
          ['Id', code(value.id)],
          ['Since', when(value.created_at)],
        ]),
      ),
    }),
});

/** The removal of a passkey, which is a reset too. */
export const passkeyPage: ConsolePage = consolePage({
  path: 'e/{environment}/users/{id}/passkeys/{passkey}',
  title: 'Remove a passkey',
  permission: 'people.read',
  parent: 'e/{environment}/users/{id}',
  main: 'passkey',
  acts: [resetPasskey, cancelReset],
  calls: ({ params: { id, passkey } }) => ({
    passkey: call<Passkey>('passkeys.get', { id: passkey }),
    ...readSurroundings(id),
  }),
  heading: ({ user }) => ({ ...userHeading(user), title: 'Remove a passkey' }),
  view: ({ passkey, ...parts }, visit) =>
    renderReset(visit, parts, {
      act: resetPasskey,
      isOfUser: isOwned(passkey, visit),
      facts: panel('Passkey', passkey, (value) =>
        facts([
          ['Name', value.name],
          ['Id', code(value.id)],
          ['Last used', when(value.last_used_at)],
          ['Since', when(value.created_at)],
        ]),
      ),
    }),
});

/** Reports whether a factor belongs to the user of the page. */
const isOwned = (part: Part<{ user_id?: string }>, { params }: Visit): boolean =>
  part.state === 'shown' && part.value.user_id === params.id;
