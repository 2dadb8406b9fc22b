import * as z from 'zod';

import { clock } from '../../kernel/clock.ts';
import { openCode, type SealedCode } from '../../kernel/one-time-code/code.ts';
import { timestamp } from '../../kernel/values.ts';

/** Members that email verifications and magic auth codes have in common on the wire; their events have all but the code. */
export const sentCodeMembers = {
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  expires_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
};

/** The code of a record as its answers show it. */
export const codeMember = z.string().meta({ format: 'password' });

/** A stored record of a code that was sent. */
export interface SentCode extends SealedCode {
  environmentId: string;
  id: string;
  userId: string;
  email: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: number;
}

/** What callers and events see of it. */
export const presentSentCode = ({ id, userId, email, codeExpiresAt, createdAt, updatedAt }: SentCode) => ({
  id,
  user_id: userId,
  email,
  expires_at: codeExpiresAt,
  created_at: createdAt,
  updated_at: updatedAt,
});

/** The code in plain, for the answers that show it. */
export const codeOf = (record: SentCode): Promise<string> => openCode(record.environmentId, record);

/** Whether a record is still to be shown: its row goes a day after the code has ended, DynamoDB permitting. */
export const isKept = ({ expiresAt }: { expiresAt: number }): boolean => expiresAt > clock.seconds();
