/**
 * All events in one. Loading this file builds every schema, so its values are only imported by code that needs all of them
 * (the events area, the OpenAPI document). An area that emits events imports its family's file; types are imported from
 * here by `import type`, which loads nothing. The lists of names are in names.ts.
 */
import * as z from 'zod';
import { actionEvents } from './actions.ts';
import { agentEvents } from './agents.ts';
import { apiKeyEvents } from './api-keys.ts';
import { authenticationEvents } from './authentication.ts';
import { authorizationEvents } from './authorization.ts';
import { connectionEvents } from './connections.ts';
import { EventContext } from './context.ts';
import { directorySyncEvents } from './directory-sync.ts';
import { featureFlagEvents } from './feature-flags.ts';
import { groupEvents } from './groups.ts';
import { invitationEvents } from './invitations.ts';
import { emailEvents } from './emails.ts';
import { eventNames, type EventName } from './names.ts';
import { oneTimeCodeEvents } from './one-time-codes.ts';
import { organizationMembershipEvents } from './organization-memberships.ts';
import { organizationEvents } from './organizations.ts';
import { pipesEvents } from './pipes.ts';
import { radarEvents } from './radar.ts';
import { resourceExportEvents } from './resource-exports.ts';
import { sessionEvents } from './sessions.ts';
import { userEvents } from './users.ts';
import { text, timestamp } from './values.ts';
import { vaultEvents } from './vault.ts';
import { waitlistUserEvents } from './waitlist-users.ts';
import type { EventFamily } from './family.ts';

export { EventContext, EventContextActor } from './context.ts';
export { eventNames, subscribableEventNames, type EventName, type SubscribableEventName } from './names.ts';

/** The schema of each event's data, with a flag whether webhook endpoints may subscribe to the event. */
export const eventCatalogue = {
  ...actionEvents,
  ...agentEvents,
  ...apiKeyEvents,
  ...authenticationEvents,
  ...authorizationEvents,
  ...connectionEvents,
  ...directorySyncEvents,
  ...emailEvents,
  ...featureFlagEvents,
  ...groupEvents,
  ...invitationEvents,
  ...oneTimeCodeEvents,
  ...organizationEvents,
  ...organizationMembershipEvents,
  ...pipesEvents,
  ...radarEvents,
  ...resourceExportEvents,
  ...sessionEvents,
  ...userEvents,
  ...vaultEvents,
  ...waitlistUserEvents,
} as const satisfies EventFamily<''>;

type EventCatalogue = typeof eventCatalogue;

/** The data of an event, as its emitter passes it and its receiver gets it. */
export type EventData<Name extends EventName> = z.output<EventCatalogue[Name]['data']>;

/** An event in lists and webhooks. For a union of names it is the union of their events, distinguished by `event`. */
export type Event<Name extends EventName = EventName> = Name extends EventName
  ? {
      object: 'event';
      id: string;
      event: Name;
      data: EventData<Name>;
      created_at: string;
      context?: EventContext | null | undefined;
    }
  : never;

const namesByData = Map.groupBy(eventNames, (name): z.ZodObject => eventCatalogue[name].data);

/**
 * The schemas of data that several events share, with ids such as `EventData.user`, so that the OpenAPI document describes
 * each once.
 */
const sharedData = new Map(
  [...namesByData].flatMap(([data, names]) => {
    const { object } = data.shape as { object?: { value: unknown } };
    if (names.length === 1 || typeof object?.value !== 'string') return [];
    return [[data, data.meta({ id: `EventData.${object.value}` })]];
  }),
);

const envelope = (name: EventName) =>
  z.object({
    object: z.literal('event'),
    id: text,
    event: z.literal(name),
    data: sharedData.get(eventCatalogue[name].data) ?? eventCatalogue[name].data,
    created_at: timestamp,
    context: EventContext.nullish(),
  });

const [firstName, ...otherNames] = eventNames;

/**
 * Any event in its envelope, distinguished by `event`. Members that a payload's schema does not declare are removed.
 */
export const Event = z
  .discriminatedUnion('event', [envelope(firstName), ...otherNames.map(envelope)])
  // The type of a list of envelopes loses the relation between name and data, which the type of the catalogue keeps.
  .meta({ id: 'EventSchema' }) as unknown as z.ZodType<Event, Event>;
