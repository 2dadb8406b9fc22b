/**
 * What a message says, before it is text or HTML. Templates make these and nothing else, so escaping stands in one place
 * (render.ts) and a template cannot forget it.
 */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: readonly string[] }
  /** The one thing to do: a link that shows as a button, with its address spelled out below. */
  | { kind: 'action'; label: string; url: string }
  /** A one-time code, shown large. */
  | { kind: 'code'; code: string }
  /** Set smaller: expiry, what to do when the message was not expected. */
  | { kind: 'note'; text: string };

/** A mail. Texts may hold any value as it is; line breaks and control characters become spaces. */
export interface MailContent {
  subject: string;
  /** What a list of mails shows after the subject. */
  preheader: string;
  heading: string;
  blocks: readonly Block[];
}
