/**
 * Functions that may have more than 460 KiB: sso has connections of two protocols, pipes an OAuth client and the egress
 * guard, and areas that sign in users contain users, factors and mails. Areas with pages contain the page kit with its
 * English texts, which are parsed when the first page is shown. Sign-ins use Radar, which with its rules and
 * addresses is some 35 KiB. The rules of trust, the proofs of sessions and the mail about a link are some 12 KiB of every function that signs in
 * users, and the verdicts, the lists in shards and the sizes of keys some 4 KiB of every function. ElectroDB, 170 KiB, is a file of its own, which a function loads with the first call that needs an entity.
 */
const BUNDLE_KIB: Readonly<Record<string, number>> = {
  // The function of sso contains the same as that of social (egress, users, pages). The code that reads XML is a separate file, some
  // 230 KiB, which is loaded with the first response or metadata document, and so is the OpenID client, some 80 KiB.
  sso: 715,
  // A directory asks the rules of trust before it changes an account, and compares the limit of invitations.
  'directory-sync': 512,
  // Every function responds to the call before traffic and compares the writer epoch, which is two KiB.
  authorization: 453,
  // Agents and their keys follow the sign-in, the membership and the roles of their person.
  agents: 492,
  pipes: 575,
  // Explanations of sign-ins read attempts of single sign-on, messages, suppressions and invitations.
  authentication: 635,
  // Next to the clients of DynamoDB and KMS, and Zod: users, memberships and roles, and the rules of delegation to agents for
  // the exchange of tokens. Pages of errors, the fetch of documents and the verification of JWTs are separate files. Every function
  // counts the calls of operators, checks approvals, and compares If-Match, which is one KiB.
  connect: 525,
  // The function of reference contains the OpenAPI document, which grows with every operation, and the guides. Every parameter and member
  // of a body has a description, and operations are found by the texts of their errors.
  reference: 817,
  // The function contains the OpenID Connect metadata, whose path is among those of users. A created user
  // or code is an attempt of Radar, whose rules and addresses are in it too, and the limits of invitations. Lists in shards and the
  // row of a user's sign-ins are some 4 KiB.
  'user-management': 553,
  // A sign-in reads whether the organization of an address requires single sign-on, and Radar assesses it.
  social: 638,
  // The function contains what a change of an account needs: passwords, factors, memberships, providers and their pages; and whether an
  // operator may still act as the user.
  account: 600,
  // The function contains the pages of that requirement, and the consent page, which reads the rows of the OAuth server.
  pages: 735,
  // The function contains the portal's pages in English, and the guides of identity providers; and the client of KMS, since its grants
  // are derived from a secret of the server.
  portal: 545,
  // The files that every request loads: the client of the own service with the egress guard, and what a sign-in, a step-up and the
  // roles of operators need. The pages are some 170 KiB in separate files, one for each section of the menu, which are loaded with the
  // first request for a page of it, and so are the style sheet, the script and the pages outside of a session. Links and sessions are made by
  // a verdict of `trust`.
  console: 485,
};

/** The calls of which a busy environment has thousands a second: sign-ins, failed ones among them, refreshes and checks. */
const BUSY = /^(authenticate |pages\.take_sign_in|authorization\.check|authzen\.)/;

/**
 * The budgets of the service, printed with the figures. A change that exceeds one gives the reason and changes it here.
 */
export const budgets = {
  /** Serial AWS round trips with warm caches. A rejected call may take as many as an authenticated read. */
  roundTrips: { read: 1, mutation: 2, refusal: 1 },
  /**
   * Serial AWS round trips of a page of the console itself, and its own CPU time in ms, without that of the bare calls of the API that it
   * makes, on a machine on which the stock client takes `clientCpuMs` for a GetItem. A grant is one round trip more.
   */
  pageRoundTrips: 2,
  pageCpuMs: 6,
  clientCpuMs: 0.7,
  /** CPU time of a read of one record in the handler, without that of the stock DynamoDB client in turns, median in ms. */
  readCpuAboveClientMs: 0.25,
  /**
   * Write units of a call on keys that other callers write too and that are no shards, condition checks included: one such key accepts
   * 1,000 a second. Other calls have no budget. Counters by network are exempt.
   */
  sharedWriteUnits: (name: string): number | undefined => (BUSY.test(name) ? 0 : undefined),
  /** Minified code of an area's HTTP function, in KiB. */
  bundleKib: (area: string): number => BUNDLE_KIB[area] ?? 460,
  /** Module init of an area's HTTP function as a multiple of that of only the stock DynamoDB client, without Node's compile cache. */
  initRatio: 1,
  /** Time from a committed change to the first webhook attempt on one machine, median in ms. */
  firstAttemptMs: 100,
} as const;

/** The result of comparing a figure with its budget. */
export interface Verdict {
  isWithin: boolean;
  /** The printed form: the figure, its budget, and OVER if it exceeds it. */
  text: string;
}

/** Compares a figure with its budget. */
export function held(figure: number, budget: number, digits: number, isStrict = false): Verdict {
  const isWithin = isStrict ? figure < budget : figure <= budget;
  const formatted = Number.isInteger(budget) ? String(budget) : budget.toFixed(digits);
  return {
    isWithin,
    text: `${figure.toFixed(digits)} ${isStrict ? '<' : '<='}${formatted} ${isWithin ? 'ok' : 'OVER'}`,
  };
}
