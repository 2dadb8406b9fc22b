import * as z from 'zod';

import { mailLocale } from '../../kernel/mail-locale.ts';
import { codeMember, presentSentCode, sentCodeMembers } from '../sent-code/schema.ts';
import type { MagicAuthRecord } from './entity.ts';

const members = { object: z.literal('magic_auth'), ...sentCodeMembers, code: codeMember };

export const MagicAuth = z.object(members).meta({ id: 'MagicAuth' });

/** The answer that makes one; the attempt's id is there when Radar watched it. */
export const CreatedMagicAuth = z.object({ ...members, radar_auth_attempt_id: z.string().optional() });

export const CreateMagicAuth = z
  .object({
    email: z.string().max(320).meta({ format: 'email' }),
    invitation_token: z.string().max(512).optional(),
    ip_address: z.string().max(64).optional(),
    user_agent: z.string().max(2_048).optional(),
    radar_auth_attempt_id: z.string().max(128).optional(),
    signals_id: z.string().max(128).optional(),
    locale: mailLocale,
  })
  .meta({ id: 'CreateUserlandMagicCodeAndReturnDto' });

/** What an event tells of a magic auth code: all but the code. */
export const magicAuthEvent = (record: MagicAuthRecord) => ({
  object: 'magic_auth' as const,
  ...presentSentCode(record),
});

/** A stored magic auth code as callers see it, with its code in plain. */
export const presentMagicAuth = (record: MagicAuthRecord, code: string): z.input<typeof MagicAuth> => ({
  ...magicAuthEvent(record),
  code,
});
