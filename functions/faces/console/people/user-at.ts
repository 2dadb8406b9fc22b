import { html } from '../../../kernel/pages/html.ts';
import { call, consolePage } from '../page/declare.ts';
import { empty, frame, members, panel } from '../view/parts.ts';
import { record, tags } from '../view/values.ts';
import type { User } from './types.ts';
import { userHeading, userTabs } from './user-heading.ts';

interface PastState {
  existed: boolean;
  record: Record<string, unknown> | null;
  unknown: string[];
  event_id: string | null;
}

/** The moment that a form names, as ISO 8601 in UTC. @returns undefined for no moment */
export function readMoment(text: string): string | undefined {
  const time = Date.parse(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  return text === '' || Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A user as it was at a moment within the retention of events. */
export const userAtPage = consolePage({
  path: 'e/{environment}/users/{id}/at',
  title: 'At a time in the past',
  permission: 'people.read',
  parent: 'e/{environment}/users',
  main: 'user',
  calls: ({ params: { id }, query }) => {
    const time = readMoment(query.get('time') ?? '');
    const user = call<User>('users.get', { id });
    const past = call<PastState>('users.at', { id }, { time });
    return (time === undefined ? { user } : { user, past }) as { user: typeof user; past: typeof past };
  },
  heading: ({ user }) => userHeading(user),
  view: (parts, visit) => {
    const { past } = parts as Partial<typeof parts>;
    return html`${userTabs(visit)}
      <form class="bar" method="get">
        <label
          >Time (UTC)
          <input
            type="datetime-local"
            name="time"
            step="1"
            required
            value="${(visit.query.get('time') ?? '').replace(/Z$/, '')}"
        /></label>
        <button class="button" type="submit">Show</button>
      </form>
      ${
        past === undefined
          ? frame(
              'At a time in the past',
              empty('Choose a time of the last 90 days: the record is shown as it was then.'),
            )
          : panel('The user then', past, ({ existed, record: then, unknown, event_id: event }) =>
              existed && then !== null
                ? html`<div class="pad">
                    ${members(then)}
                    ${unknown.length > 0 && html`<p class="hint">Not known at that time: ${tags(unknown)}</p>`}
                    ${event !== null && html`<p class="hint">Last change before: ${record(visit, event)}</p>`}
                  </div>`
                : empty('The user did not exist at that time.'),
            )
      }`;
  },
});
