/** A guide: a Markdown file of the folder of this one. */
export interface GuideName {
  /** The name of its file, and the last segment of its address. */
  name: string;
  title: string;
}

/** Modules whose READMEs are for developers of this project only, so that they are not guides. */
export const INTERNAL_MODULES: ReadonlySet<string> = new Set([
  'authorization-codes',
  'credential-holders',
  'erasure',
  'kernel',
  'role-holders',
  'sign-in',
  'sign-in-checks',
  'sign-in-flows',
  'stage',
]);

/** The guides that are about the whole API, in the order in which a new user reads them. */
export const GUIDES: readonly GuideName[] = [
  { name: 'start', title: 'Quickstart' },
  { name: 'api-authentication', title: 'API keys and authentication' },
  { name: 'sdks', title: 'SDKs' },
  { name: 'sign-in', title: 'Sign users in (login)' },
  { name: 'errors', title: 'Errors and retries' },
  { name: 'pagination', title: 'Pagination' },
  { name: 'idempotency', title: 'Idempotency' },
  { name: 'rate-limits', title: 'Rate limits' },
  { name: 'webhook-signatures', title: 'Webhooks and signatures' },
  { name: 'testing', title: 'Local testing' },
  { name: 'versions', title: 'Versions and changes' },
];
