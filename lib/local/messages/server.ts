import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';

import { close, listen, readBody } from '../listen.ts';
import type { Outbox } from './outbox.ts';

const Text = z.object({ Data: z.string(), Charset: z.string().optional() });

/** The text of a tag (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageTag.html). */
const TagText = z.string().regex(/^[A-Za-z0-9_-]{1,256}$/, 'A tag has ASCII letters, digits, underscores and dashes');

/**
 * The input of SendEmail with simple content (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html).
 */
const SendEmail = z.object({
  FromEmailAddress: z.string().min(1),
  Destination: z
    .object({
      ToAddresses: z.array(z.string().min(3)).default([]),
      CcAddresses: z.array(z.string().min(3)).default([]),
      BccAddresses: z.array(z.string().min(3)).default([]),
    })
    .transform((to) => [...to.ToAddresses, ...to.CcAddresses, ...to.BccAddresses])
    .refine((to) => to.length >= 1 && to.length <= 50, 'One to fifty recipients are taken'),
  EmailTags: z
    .array(z.object({ Name: TagText, Value: TagText }))
    .max(50)
    .default([]),
  Content: z.object({
    Simple: z.object({
      Subject: Text,
      Body: z.object({ Text: Text.optional(), Html: Text.optional() }),
    }),
  }),
});

/** The input of Publish to a phone number in E.164 (https://docs.aws.amazon.com/sns/latest/api/API_Publish.html). */
const Publish = z.object({
  Action: z.literal('Publish'),
  PhoneNumber: z.string().regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number in E.164 form'),
  Message: z.string().min(1).max(1_600),
});

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** A running capture server. */
export interface CaptureServer {
  url: string;
  close: () => Promise<void>;
}

/** Replaces SES version 2 (REST-JSON): mails are captured and not sent. */
export function startMailCapture(outbox: Outbox): Promise<CaptureServer> {
  return start((request, body, response) => {
    const state = request.method === 'GET' ? readState(request.url ?? '') : undefined;
    if (state !== undefined) return json(response, 200, state);
    if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
      return json(
        response,
        404,
        { message: 'Only SendEmail, GetAccount and GetEmailIdentity exist here.' },
        'NotFoundException',
      );
    }
    const parsed = SendEmail.safeParse(parseJsonBody(body));
    if (!parsed.success) {
      return json(response, 400, { message: z.prettifyError(parsed.error) }, 'BadRequestException');
    }
    const { Destination, Content, EmailTags } = parsed.data;
    const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]));
    const { Subject, Body } = Content.Simple;
    const sent = { tags, subject: Subject.Data, text: Body.Text?.Data ?? null, html: Body.Html?.Data ?? null };
    json(response, 200, { MessageId: outbox.capture(Destination.map(readAddress), { channel: 'email', ...sent }) });
  });
}

/** The state of an account that sends to all addresses, and knows every sender; undefined for another path. */
function readState(path: string): object | undefined {
  if (path === '/v2/email/account')
    return {
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { Max24HourSend: 50_000 },
    };
  return path.startsWith('/v2/email/identities/') ? { VerifiedForSendingStatus: true } : undefined;
}

/** Replaces SNS (query protocol): text messages to phone numbers are captured. */
export function startSmsCapture(outbox: Outbox): Promise<CaptureServer> {
  return start((_request, body, response) => {
    const parsed = Publish.safeParse(Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
    if (!parsed.success) {
      const error =
        `<ErrorResponse><Error><Type>Sender</Type><Code>InvalidParameter</Code>` +
        `<Message>Invalid parameter: only Publish to a phone number is captured here</Message></Error></ErrorResponse>`;
      response.writeHead(400, { 'content-type': 'text/xml' }).end(error);
      return;
    }
    const { PhoneNumber, Message } = parsed.data;
    const id = outbox.capture([PhoneNumber], { channel: 'sms', subject: null, text: Message, html: null, tags: {} });
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult>` +
          `<MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
      );
  });
}

type Handle = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

async function start(handle: Handle): Promise<CaptureServer> {
  const server = createServer((request, response) => {
    readBody(request, MAX_BODY_BYTES).then(
      (body) => handle(request, body ?? Buffer.alloc(0), response),
      () => response.destroy(),
    );
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

function json(response: ServerResponse, status: number, body: object, errorType?: string): void {
  const type = errorType === undefined ? {} : { 'x-amzn-errortype': errorType };
  response.writeHead(status, { 'content-type': 'application/json', ...type }).end(JSON.stringify(body));
}

function parseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The bare address of `Name <address>`. */
const readAddress = (recipient: string): string => /<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient;
