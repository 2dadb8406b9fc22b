import { envelopes } from '../kernel/keys/shared.ts';
import { messageScope, type SealedMessage } from '../kernel/messages/compose.ts';
import type { MessageRecord } from '../kernel/messages/entity.ts';

/** Decrypts a message's content. @throws KeyError */
export async function openMessage({ environmentId, id, sealed }: MessageRecord): Promise<SealedMessage> {
  const text = await envelopes().openText(messageScope(environmentId), id, sealed as Uint8Array);
  return JSON.parse(text) as SealedMessage;
}
