import * as z from 'zod';

import { mailLocale } from '../../../../kernel/mail-locale.ts';
import { codeMember, presentSentCode, sentCodeMembers } from '../sent-code/schema.ts';
import type { MagicAuthRecord } from './entity.ts';

const members = { object: z.literal('magic_auth'), ...sentCodeMembers, code: codeMember };

export const MagicAuth = z.object(members).meta({ id: 'MagicAuth' });

/** The response to the creation, with the id of the attempt if Radar assessed it. */
export const CreatedMagicAuth = z.object({ ...members, radar_auth_attempt_id: z.string().optional() });

export const CreateMagicAuth = z
  .object({
    email: z.string().max(320).meta({ format: 'email' }),
    invitation_token: z.string().max(512).optional(),
    ip_address: z.string().max(64).optional(),
    user_agent: z.string().max(2_048).optional(),
    radar_auth_attempt_id: z.string().max(128).optional(),
    signals_id: z.string().max(255).optional(),
    locale: mailLocale,
  })
  .meta({ id: 'CreateUserlandMagicCodeAndReturnDto' });

/** The event data of a magic auth code, without the code. */
export const magicAuthEvent = (record: MagicAuthRecord) => ({
  object: 'magic_auth' as const,
  ...presentSentCode(record),
});

/** A stored magic auth code as callers see it, with its decrypted code. */
export const presentMagicAuth = (record: MagicAuthRecord, code: string): z.input<typeof MagicAuth> => ({
  ...magicAuthEvent(record),
  code,
});
