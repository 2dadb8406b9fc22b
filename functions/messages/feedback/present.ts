import type { MessageRecord } from '../../kernel/messages/entity.ts';

/** What every event about a mail says of it. */
export const presentEmail = ({ id, template, createdAt }: MessageRecord, email: string) =>
  ({ object: 'email', id, email, template, created_at: createdAt }) as const;
