import type { OperatorPermission } from '../../../kernel/authentication/operator-permission.ts';
import type { Html } from '../../../kernel/pages/html.ts';
import type { Visit } from './visit.ts';

/** The most calls of the API that one page makes, in both waves together. */
export const MOST_CALLS = 8;

/** One call of the public API, as a page declares it. */
export interface DeclaredCall<T = unknown> {
  /** The id of the operation, such as `users.get`. */
  operation: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body?: unknown;
  /** The type of the response, which exists only for the compiler. */
  response?: T;
}

/** The values of a path or query; members that are undefined or empty are left out. */
type Values = Readonly<Record<string, string | number | undefined>>;

const given = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  );

/** Declares a call. @param params The parameters of the path @param query The members of the query */
export const call = <T>(
  operation: string,
  params: Values = {},
  query: Values = {},
  body?: unknown,
): DeclaredCall<T> => ({
  operation,
  params: given(params),
  query: given(query),
  ...(body === undefined ? {} : { body }),
});

/** The calls of a page by the names of their parts. */
export type Calls = Readonly<Record<string, DeclaredCall>>;

/**
 * A part of a page: the response of a call; or the sentence that is shown in its place; or `absent`, if this service has no such
 * operation.
 */
export type Part<T> =
  | { state: 'shown'; value: T; etag?: string | undefined }
  | { state: 'left_out'; sentence: string; status: number }
  | { state: 'absent' };

/** Reports whether a part is left out because there is no such record, and not because it could not be read. */
export const isMissing = (part: Part<unknown>): boolean => part.state === 'left_out' && part.status === 404;

/** The parts of a page by name. */
export type Parts<C extends Calls> = {
  [Name in keyof C]: Part<C[Name] extends DeclaredCall<infer T> ? T : unknown>;
};

/** The groups of the menu, in this order. */
export const MENU_GROUPS = [
  '',
  'Stage',
  'People',
  'Sign-in',
  'Access',
  'Activity',
  'Secrets',
  'Agents',
  'Settings',
] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

/** The place of a page in the menu. */
export interface MenuEntry {
  group: MenuGroup;
  /** The key that opens the page after `g`. */
  shortcut?: string;
}

/** The heading of a page. */
export interface Heading {
  title: string;
  /** A mark left of the title, such as initials. */
  mark?: Html | undefined;
  /** A line below the title: ids, addresses, states. */
  lead?: Html | undefined;
}

/** The values of a submitted form. */
export type Sent = Readonly<Record<string, string>>;

/** Makes a call of the API for an act. @returns its body, or the reason why it was rejected */
export type Send = (
  declared: DeclaredCall,
  headers: Readonly<Record<string, string>>,
) => Promise<{ body: unknown } | Rejection>;

/** The reason why the API did not do what a form asked for. */
export interface Rejection {
  problem: 'foreign' | 'rejected' | 'no-act' | 'step-up' | 'conflict';
  text: string;
  /** The code of the error of the API. */
  code?: string | undefined;
  /** True if the API did not respond in time. */
  isLate?: true;
  /** The values with which the form is shown again; those that were sent if absent. */
  filled?: Sent;
}

/** The result of a form: the address of the next page, the content that is displayed once, the form again, or the reason why nothing was done. */
export type ActOutcome = { location: string } | { content: Html; done: string } | { again: Sent } | Rejection;

/** The use of an act on many records at once (`bulk/`). */
export interface BulkUse {
  /** The prefix of the ids of its records. */
  record: string;
  /** The name of several of its records. */
  plural: string;
  /** The effect on each record, in a sentence. */
  effect: string;
  /** The field of the form that names the record; `id` if absent. */
  field?: string;
  /** True for an act whose result cannot be undone: the operator types what is done. */
  isDanger?: boolean;
  /** True if a call that is made again changes nothing more. */
  isRepeatable?: boolean;
  /** The records that the operator chooses instead, each of which has several of the act's records below it. */
  expand?: { record: string } & Below;
  /** The records of a pasted address, or of the user who has it; absent for records that a search finds by their own address. */
  ofAddress?: { by: 'address' | 'user' } & Below;
}

/** The records below another one. */
export interface Below {
  call: (of: string, visit: Visit) => DeclaredCall;
  list: (body: unknown) => { id: string; label: string }[];
}

/** A change that a page offers as a form. Whether an operator may make it follows from its operation. */
export interface Act {
  /** The name of the act in its form, unique on the page. */
  name: string;
  /** The text of the button. */
  label: string;
  /** The operation; `form` if the field `operation` of the form names it. */
  operation: string;
  /** The call that a form makes. */
  call: (sent: Sent, visit: Visit) => DeclaredCall;
  /** Further headers of the call. */
  headers?: (sent: Sent, visit: Visit) => Readonly<Record<string, string>>;
  /** The sentence for a call whose precondition fails (412); if absent, that another user changed the record. */
  conflict?: string;
  /** The sentence that the page shows afterwards. */
  done: string;
  /** The address of the page that is shown afterwards, such as that of the new record in the response; this page if absent. */
  next?: (visit: Visit, body: unknown) => string;
  /** Rejects a form before it is sent, or shows it again for a decision: see `change.ts`. Undefined to send it. */
  review?: (sent: Sent, visit: Visit, send: Send) => Promise<ActOutcome | undefined>;
  /** Shows the response of the API once, in the response to the form, instead of another page: for secrets and plans. */
  show?: (body: unknown, sent: Sent, visit: Visit) => Html;
  /** Present for an act that a list offers for many records at once. */
  bulk?: BulkUse;
  /** Takes the place of the call, for a form that makes several calls or none. */
  perform?: (sent: Sent, visit: Visit, send: Send) => Promise<ActOutcome>;
  /** An example of a reason, in the empty field for it. */
  reasonHint?: string;
  /** True for an act that only reads: its form asks for no reason. */
  isRead?: boolean;
}

interface Definition<C extends Calls, D extends Calls> {
  /** The path below `/console/`, such as `e/{environment}/users/{id}`. */
  path: string;
  /** The name in the menu and the palette, and the heading if the page has no other. */
  title: string;
  /** The permission without which the page does not exist for an operator; undefined for a page of every operator. */
  permission: OperatorPermission | undefined;
  menu?: MenuEntry;
  /** The path of the page above this one. */
  parent?: string;
  calls: (visit: Visit) => C;
  /** Reads what the page has of its own, before its calls. @returns undefined if there is no such page */
  prepare?: (visit: Visit) => Promise<Visit | undefined>;
  /** True for a page about the stage, which only the environment of the operators has. */
  isOfStage?: boolean;
  /** The part without which there is no page: its 404 is the page's. */
  main?: keyof C & string;
  /** The second wave: calls that need a response of the first one. */
  then?: (parts: Parts<C>, visit: Visit) => D;
  heading?: (parts: Parts<C>, visit: Visit) => Heading | undefined;
  view: (parts: Parts<C & D>, visit: Visit) => Html;
  /** JSON for the script instead of a page. */
  data?: (parts: Parts<C & D>, visit: Visit) => unknown;
  /** A document for a frame of another page instead of a page. */
  document?: (parts: Parts<C & D>, visit: Visit) => string;
  /** True for a page that shows documents of this console in frames. */
  hasFrames?: boolean;
  acts?: readonly Act[];
}

/** A page of the console: its path, permission, calls and view. Router, menu, palette and tests read this. */
export interface ConsolePage {
  path: string;
  title: string;
  permission: OperatorPermission | undefined;
  menu?: MenuEntry | undefined;
  parent?: string | undefined;
  isOfStage?: boolean | undefined;
  main?: string | undefined;
  calls: (visit: Visit) => Calls;
  prepare?: ((visit: Visit) => Promise<Visit | undefined>) | undefined;
  then?: ((parts: Parts<Calls>, visit: Visit) => Calls) | undefined;
  heading?: ((parts: Parts<Calls>, visit: Visit) => Heading | undefined) | undefined;
  view: (parts: Parts<Calls>, visit: Visit) => Html;
  data?: ((parts: Parts<Calls>, visit: Visit) => unknown) | undefined;
  document?: ((parts: Parts<Calls>, visit: Visit) => string) | undefined;
  hasFrames?: boolean | undefined;
  acts: readonly Act[];
}

/** Declares a page. */
export const consolePage = <C extends Calls, D extends Calls = Record<never, never>>(
  definition: Definition<C, D>,
): ConsolePage => ({ acts: [], ...(definition as unknown as Omit<ConsolePage, 'acts'>) });
