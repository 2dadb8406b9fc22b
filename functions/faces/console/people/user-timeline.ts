import { html } from '../../../kernel/pages/html.ts';
import { type EventRecord, timeline } from '../activity/event-lines.ts';
import { call, consolePage } from '../page/declare.ts';
import { addressIn, withQuery } from '../page/visit.ts';
import { type List, panel } from '../view/parts.ts';
import type { User } from './types.ts';
import { userHeading, userTabs } from './user-heading.ts';

/** The events of a user, the newest first. */
export const userTimelinePage = consolePage({
  path: 'e/{environment}/users/{id}/timeline',
  title: 'Timeline',
  permission: 'people.read',
  parent: 'e/{environment}/users',
  main: 'user',
  calls: ({ params: { id }, query }) => ({
    user: call<User>('users.get', { id }),
    events: call<List<EventRecord>>(
      'events.list_by_subject',
      {},
      { subject: id, limit: 50, order: 'desc', after: query.get('after') ?? '', before: query.get('before') ?? '' },
    ),
  }),
  heading: ({ user }) => userHeading(user),
  view: ({ events }, visit) => {
    const { before, after } = events.state === 'shown' ? (events.value.list_metadata ?? {}) : {};
    const here = addressIn(visit, 'users', visit.params.id ?? '', 'timeline');
    return html`${userTabs(visit)}
    ${panel(
      'Timeline',
      events,
      ({ data }) =>
        html`${timeline(visit, data, 'Nothing happened within the retention of events.')}
        ${
          (typeof before === 'string' || typeof after === 'string') &&
          html`<nav class="pager" aria-label="Pages of the timeline">
            <span></span>
            ${typeof before === 'string' && html`<a class="button" rel="prev" href="${withQuery(here, { before })}">← Newer</a>`}
            ${typeof after === 'string' && html`<a class="button" rel="next" href="${withQuery(here, { after })}">Older →</a>`}
          </nav>`
        }`,
    )}
    ${events.state === 'absent' && html`<p class="panel pad">This service does not list events by user.</p>`}`;
  },
});
