import type { MessageRecord } from '../../kernel/messages/entity.ts';

/** The common members of every event about a mail. */
export const presentEmail = ({ id, template, createdAt }: MessageRecord, email: string) =>
  ({ object: 'email', id, email, template, created_at: createdAt }) as const;
