import { phoneNumber } from '../../../kernel/address.ts';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { listMessagesTo, messages, recipientHash } from '../../../kernel/messages/entity.ts';
import { operation } from '../../../kernel/operation.ts';
import { ListMessages, MessageList, presentMessage } from './schema.ts';

export const listMessages = operation({
  id: 'messages.list',
  method: 'GET',
  path: '/x/messages',
  summary: 'List the messages to an address or a phone number',
  description:
    'Lists the newest messages first, each mail or SMS with its state, the reason of a failure and its bounce. Content, codes and links are ' +
    'never shown. Mails are kept for 30 days after they were sent, other messages for seven. The list may lag behind changes for a ' +
    'moment.',
  auth: apiKey,
  query: ListMessages,
  responses: { 200: MessageList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query: { to, limit, after }, invalid }) {
    const recipient = recipientHash(environmentId, phoneNumber(to) ?? to);
    const former = after === undefined ? undefined : await messages.get(environmentId, after);
    if (after !== undefined && former?.recipient !== recipient) {
      const message = 'There is no such message to this recipient any more: begin again without `after`.';
      throw invalid([{ field: 'after', code: 'unknown_cursor', message }]);
    }
    const { records: found, reached } = await listMessagesTo(environmentId, recipient, limit + 1, former);
    const page = found.slice(0, limit);
    const next = found.length > page.length ? page.at(-1)?.id : reached;
    const list_metadata = { before: null, after: next ?? null };
    return { status: 200, body: { object: 'list' as const, data: page.map(presentMessage), list_metadata } };
  },
});

export const messageOperations = [listMessages] as const;
