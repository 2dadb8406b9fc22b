/**
 * The content of a message, before it is text or HTML. Templates only make these blocks, so that escaping is in one place
 * (render.ts) and a template cannot bypass it.
 */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: readonly string[] }
  /** The one link of a message, shown as a button, with its address as text below. */
  | { kind: 'action'; label: string; url: string }
  /** A one-time code in large type. */
  | { kind: 'code'; code: string }
  /** Facts about the request that caused the message, each with its label. */
  | { kind: 'facts'; lead: string; items: readonly { label: string; value: string }[] }
  /** Text in small type, such as the expiry, or advice for an unexpected message. */
  | { kind: 'note'; text: string };

/** A mail. Texts may contain any value; line breaks and control characters become spaces. */
export interface MailContent {
  subject: string;
  /** The preview that mail programs show after the subject. */
  preheader: string;
  heading: string;
  blocks: readonly Block[];
}
