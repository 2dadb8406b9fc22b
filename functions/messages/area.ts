import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';

const needs = ['table', 'keys', 'mail', 'sms'] as const;

/** Mail and SMS: no operations, one worker that sends messages and one that retries those that were not sent. */
export const messagesArea = area({
  name: 'messages',
  summary: 'Mail and SMS that other areas compose',
  operations: [],
  workers: [
    { name: 'send', summary: 'Sends one message by SES or SNS', on: { kind: 'queue', queue: 'messages' }, needs },
    {
      name: 'resume',
      summary: 'Sends messages that the queue should have sent by now',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs,
      timeoutSeconds: 60,
      concurrency: 1,
    },
  ],
  needs: [],
  refusals: messages,
});
