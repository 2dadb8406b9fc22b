import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';

/** A captured mail or text message. */
export interface CapturedMessage {
  id: string;
  channel: 'email' | 'sms';
  to: string;
  subject: string | null;
  text: string | null;
  html: string | null;
  /** Every URL in the message, in order, each once. */
  links: string[];
  /** The first group of six digits in the text; null if there is none. */
  code: string | null;
  /** The id with which SES or SNS accepted the message. */
  sending_id: string;
  /** The tags that SES repeats in its reports about a mail. */
  tags: Record<string, string>;
  /** The time (ISO 8601), by the local clock. */
  created_at: string;
}

type Sent = Pick<CapturedMessage, 'channel' | 'to' | 'subject' | 'text' | 'html' | 'sending_id' | 'tags'>;

const LINK = /https?:\/\/[^\s"'<>)\]]+/g;
const CODE = /(?<![\w/=&?#.-])\d{6}(?![\w/=&?#-])/;

/** Captured messages, written to disk before the response to the sender. */
export class Outbox {
  readonly #database: Database;
  readonly #timestamp: () => string;
  readonly #listeners = new Set<(message: CapturedMessage) => void>();

  constructor(database: Database, timestamp: () => string) {
    this.#database = database;
    this.#timestamp = timestamp;
  }

  /** Stores a message for each recipient. @returns the message id */
  capture(recipients: readonly string[], sent: Omit<Sent, 'to' | 'sending_id'>): string {
    const id = randomUUID();
    const insert = this.#database.prepare('INSERT INTO messages (recipient, message) VALUES (?, ?)');
    for (const to of recipients) {
      const message = {
        id: `message_${randomUUID()}`,
        ...read({ ...sent, to, sending_id: id }),
        created_at: this.#timestamp(),
      };
      insert.run(to.toLowerCase(), JSON.stringify(message));
      for (const listener of this.#listeners) listener(message);
    }
    return id;
  }

  /** A message by its id. */
  find(id: string): CapturedMessage | undefined {
    const row = this.#database.prepare("SELECT message FROM messages WHERE json_extract(message, '$.id') = ?").get(id);
    if (row === undefined) return undefined;
    const message = JSON.parse(String(row.message)) as Omit<CapturedMessage, 'sending_id' | 'tags'> &
      Partial<CapturedMessage>;
    // A message that an older version captured has neither of these members.
    return { ...message, sending_id: message.sending_id ?? '', tags: message.tags ?? {} };
  }

  /**
   * Messages, the newest first, at most 1,000; only those to one recipient if one is given (a mail address ignoring case).
   */
  list(to?: string): CapturedMessage[] {
    const rows =
      to === undefined
        ? this.#database.prepare('SELECT message FROM messages ORDER BY seq DESC LIMIT 1000').all()
        : this.#database
            .prepare('SELECT message FROM messages WHERE recipient = ? ORDER BY seq DESC LIMIT 1000')
            .all(to.toLowerCase());
    return rows.map(({ message }) => JSON.parse(String(message)) as CapturedMessage);
  }

  /** Calls a listener for each captured message, until the returned function is called. */
  listen(listener: (message: CapturedMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#database.exec('DELETE FROM messages');
  }
}

function read(sent: Sent): Omit<CapturedMessage, 'id' | 'created_at'> {
  const html = sent.html?.replaceAll('&amp;', '&') ?? '';
  const links = [...new Set(`${sent.text ?? ''}\n${html}`.match(LINK) ?? [])];
  const words = (sent.text ?? html.replace(/<[^>]*>/g, ' ')).replace(LINK, ' ');
  return { ...sent, links, code: CODE.exec(words)?.[0] ?? null };
}
