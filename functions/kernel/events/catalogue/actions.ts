import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull } from './values.ts';

/** The members of every rejection by an action. */
const denial = {
  action_endpoint_id: text,
  action_execution_id: text,
  verdict: z.literal('Deny'),
  organization_id: textOrNull,
  email: text,
  ip_address: textOrNull,
  user_agent: textOrNull,
};

/** Events about sign-ins and registrations that a customer's action has rejected. */
export const actionEvents = {
  'action.authentication.denied': {
    data: z.object({ ...denial, type: z.literal('authentication'), user_id: text }),
    subscribable: false,
  },
  'action.user_registration.denied': {
    data: z.object({ ...denial, type: z.literal('user_registration') }),
    subscribable: false,
  },
} as const satisfies EventFamily<'action.'>;
