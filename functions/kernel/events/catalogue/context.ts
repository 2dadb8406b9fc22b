import * as z from 'zod';
import { freeForm, text, textOrNull } from './values.ts';

/** The actor of an event. */
export const EventContextActor = z
  .object({ id: text, source: z.enum(['api', 'dashboard', 'admin_portal', 'system']), name: textOrNull })
  .meta({ id: 'EventContextActorDto' });
export type EventContextActor = z.output<typeof EventContextActor>;

/** The application of a sign-in, and the ids of its analytics, which it gave when it began the sign-in. */
const origin = {
  analytics_client_id: text.optional(),
  analytics_sessions: z
    .array(z.object({ containerId: text, sessionId: text.optional(), sessionNumber: text.optional() }))
    .optional(),
  ajs_anonymous_id: text.optional(),
  client_id: text.optional(),
};

/** The rule of a feature flag, in events of its changes. */
const rule = {
  access_type: z
    .enum(['none', 'some', 'all'])
    .optional()
    .describe('`all`: the flag is on for everyone by its default. `some`: for its targets. `none`: for no one.'),
  configured_targets: z
    .object({
      organizations: z.array(z.object({ id: text, name: text })),
      users: z.array(z.object({ id: text, email: text })),
    })
    .optional()
    .describe('The targets of the flag: at most the first 100 organizations and the first 100 users by their ids.'),
};

/** Details of the request that caused an event; each member is present only if it is known. */
export const EventContext = z
  .object({
    ...origin,
    ...rule,
    actor: EventContextActor.optional(),
    previous_attributes: freeForm.optional(),
  })
  .meta({ id: 'EventContextDto' });
export type EventContext = z.output<typeof EventContext>;

/** The members of a context that an event has by itself. */
export type OwnContext = Pick<EventContext, 'client_id' | keyof typeof rule>;

/** The members of a context that name the application of a sign-in and its analytics. */
export type EventOrigin = Pick<EventContext, keyof typeof origin>;
