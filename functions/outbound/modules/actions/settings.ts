import * as z from 'zod';

/** The kinds of actions, in the contract's spelling. */
export const ACTION_TYPES = ['authentication', 'user_registration'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

const endpointId = z.string().nullable().default(null);

/**
 * The endpoints of an environment by type. They are a section of the environment's settings, which every sign-in reads from a
 * cache, so an environment without actions pays nothing for them.
 */
export const actionSettings = {
  name: 'actions',
  schema: z.object({ authentication: endpointId, user_registration: endpointId }),
};
