import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { messageOperations } from './message/operations.ts';
import { mailPreviewOperations } from './preview/operations.ts';
import { suppressionOperations } from './suppression/operations.ts';

const needs = ['table', 'keys', 'mail', 'sms'] as const;

/**
 * The area for mail and SMS: workers that send messages and record reports about mails, and the addresses to which no mail
 * is sent.
 */
export const messagesArea = area({
  name: 'messages',
  group: 'outbound',
  summary: 'Mails and SMS of the other areas, and the addresses to which no mail is sent',
  operations: [...messageOperations, ...mailPreviewOperations, ...suppressionOperations],
  workers: [
    {
      name: 'send',
      summary: 'Sends one message by SES or SNS',
      on: { kind: 'queue', queue: 'messages' },
      needs,
      // Each execution sends ten messages at a time. A peak of mails must not take the executions of sign-ins.
      concurrency: 20,
    },
    {
      name: 'feedback',
      summary: 'Records bounces and complaints that SES reports',
      on: { kind: 'queue', queue: 'mail-feedback' },
      needs: ['table'],
    },
    {
      name: 'retry',
      summary: 'Sends messages that the queue should have sent by now',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs,
      timeoutSeconds: 60,
      concurrency: 1,
    },
  ],
  needs: ['table'],
  errorForm: messages,
});
