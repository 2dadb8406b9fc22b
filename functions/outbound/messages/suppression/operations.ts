import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { notFound, orFail } from '../../../kernel/errors.ts';
import { consume, tooMany } from '../../../kernel/limits/counter.ts';
import { findLimit } from '../../../kernel/limits/named-limits.ts';
import { recipientHash } from '../../../kernel/messages/entity.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage, wholeList } from '../../../kernel/pagination.ts';
import { findSuppression, findAddressSuppression, listSuppressions } from './entity.ts';
import { EmailSuppression, EmailSuppressionList, ListEmailSuppressions, presentSuppression } from './schema.ts';
import { stageLift } from './stage.ts';

const suppressionNotFound = notFound('email suppression');

export const listEmailSuppressions = operation({
  id: 'email_suppressions.list',
  method: 'GET',
  path: '/x/messages/suppressions',
  summary: 'List the email addresses to which no mail is sent',
  description:
    'An address is suppressed for 180 days when a mail to it bounces permanently, and for two years when its ' +
    'owner reports a mail as spam. After a report about a mail that another party caused, such as an invitation, mail about the owner’s own sign-in and account is still sent. `email` selects one address. A page may have fewer entries than `limit` while ' +
    'its cursor is not null: continue with the cursor.',
  auth: apiKey,
  query: ListEmailSuppressions,
  responses: { 200: EmailSuppressionList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    if (query.email === undefined) {
      const body = await readPage(query, (window) => listSuppressions(environmentId, window), presentSuppression);
      return { status: 200, body };
    }
    const found = await findAddressSuppression(environmentId, query.email);
    return { status: 200, body: wholeList(found === undefined ? [] : [presentSuppression(found)]) };
  },
});

export const getEmailSuppression = operation({
  id: 'email_suppressions.get',
  method: 'GET',
  path: '/x/messages/suppressions/{id}',
  summary: 'Get the suppression of an address',
  auth: apiKey,
  responses: { 200: EmailSuppression },
  errors: [suppressionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(findSuppression(environmentId, params.id), () => fail(suppressionNotFound));
    return { status: 200, body: presentSuppression(record) };
  },
});

export const deleteEmailSuppression = operation({
  id: 'email_suppressions.delete',
  method: 'DELETE',
  path: '/x/messages/suppressions/{id}',
  summary: 'Remove the suppression of an address, so that mail is sent to it again',
  description:
    'Do this once the owner confirms that the mailbox works; after a complaint, only if the owner asks for mail. ' +
    'Mails that were not sent in the meantime are not sent later. The suppression of an address can be removed three times in 30 days, because each bounce harms the sender’s reputation.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 204: null },
  errors: [suppressionNotFound],
  emits: ['email_suppression.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const [record, environment] = await awaitAll([
      findSuppression(environmentId, params.id),
      findEnvironment(environmentId),
    ]);
    if (record === undefined) throw fail(suppressionNotFound);
    const recipient = recipientHash(environmentId, record.email);
    const limit = findLimit('suppression-lift.email', environment?.settings);
    if (limit !== undefined) {
      const counted = { name: 'suppression-lift.email', key: recipient };
      const verdict = await unit.once(`lift#${record.id}`, () => consume(environmentId, counted, limit));
      if (!verdict.allowed) throw tooMany(verdict);
    }
    await stageLift(unit, record, recipient);
    return { status: 204 };
  },
});

/** The operations on suppressed addresses. */
export const suppressionOperations = [listEmailSuppressions, getEmailSuppression, deleteEmailSuppression] as const;
