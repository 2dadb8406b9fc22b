import type * as z from 'zod';
import type { EventName, SubscribableEventName } from './names.ts';

/**
 * The events whose names begin with one of the prefixes, each with the schema of its data and whether webhook endpoints may
 * subscribe to it. The compiler compares a family with the published names, so that none is missing, none is added, and
 * `subscribable` is as published.
 */
export type EventFamily<Prefix extends string> = {
  [Name in Extract<EventName, `${Prefix}${string}`>]: {
    data: z.ZodObject;
    subscribable: Name extends SubscribableEventName ? true : false;
  };
};
