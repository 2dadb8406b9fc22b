import * as z from 'zod';

import type { SealedCode } from '../../../../kernel/one-time-code/code.ts';
import { timestamp } from '../../../../kernel/values.ts';

/** Members that email verifications and magic auth codes share. Their events have all of them except the code. */
export const sentCodeMembers = {
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  expires_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
};

/** The code of a record in responses. */
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

/** The members of a code for responses and events. */
export const presentSentCode = ({ id, userId, email, codeExpiresAt, createdAt, updatedAt }: SentCode) => ({
  id,
  user_id: userId,
  email,
  expires_at: codeExpiresAt,
  created_at: createdAt,
  updated_at: updatedAt,
});

/**
 * Reports whether a record can still be read, which is until a day after its code expires; DynamoDB removes its row some
 * time later.
 * @param now in seconds since the epoch
 */
export const isKept = ({ expiresAt }: { expiresAt: number }, now: number): boolean => expiresAt > now;
