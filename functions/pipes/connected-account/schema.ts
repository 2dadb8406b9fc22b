import * as z from 'zod';

import { secret, timestampInput } from '../../kernel/values.ts';
import { AccountState, ScopeList } from '../installation/schema.ts';

/** A token: visible characters (RFC 6749 appendix A.12 and A.17). */
const token = secret.max(65_536).regex(/^[\x21-\x7E]+$/, 'must be a token of visible ASCII characters');

const tokens = {
  access_token: token.optional(),
  refresh_token: token.optional(),
  expires_at: timestampInput.optional(),
  scopes: ScopeList.optional(),
  state: AccountState.optional(),
};
const add = { connection_intent: z.literal('add').optional() };

export const ImportUserAccount = z.object({ ...tokens, ...add });
export const UpdateUserAccount = z.object(tokens).meta({ id: 'ConnectedAccountDto' });
export const ImportOrganizationAccount = z.object({ user_id: z.string(), ...tokens, ...add });
export const UpdateOrganizationAccount = z.object({ user_id: z.string(), ...tokens });

/** A boolean as query strings write it. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .meta({ type: 'boolean' });

const selector = { supports_multiple_connections: flag, connected_account_id: z.string().min(1).optional() };
const organization = { organization_id: z.string().optional() };
const reauthorize = { connection_intent: z.literal('reauthorize').optional() };

export const SelectUserAccount = z.object({ ...organization, ...selector });
export const SelectOrganizationAccount = z.object(selector);
export const ChangeUserAccount = z.object({ ...organization, ...selector, ...reauthorize });
export const ChangeOrganizationAccount = z.object({ ...selector, ...reauthorize });
export const PlaceUserAccount = z.object(organization);
