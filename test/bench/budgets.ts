/**
 * Functions that may have more than 580 KiB: sso has connections of two protocols, pipes an OAuth client and the egress
 * guard, and areas that sign in users contain users, factors and mails. Areas with pages contain the page kit with its
 * English texts, which are parsed when the first page is shown. Sign-ins use Radar, which with its rules and
 * addresses is some 35 KiB.
 */
const BUNDLE_KIB: Readonly<Record<string, number>> = {
  // The function of sso contains the same as that of social (egress, users, pages). The code that reads XML is a separate file, some
  // 230 KiB, which is loaded with the first response or metadata document, and so is the OpenID client, some 80 KiB.
  sso: 790,
  'directory-sync': 600,
  pipes: 675,
  // Explanations of sign-ins read attempts of single sign-on, messages, suppressions and invitations.
  authentication: 720,
  // Next to the clients of DynamoDB and KMS, ElectroDB and Zod: users, memberships and roles, and the rules of delegation to agents for
  // the exchange of tokens. Pages of errors, the fetch of documents and the verification of JWTs are separate files. Every function
  // counts the calls of operators, checks approvals, and compares If-Match, which is one KiB.
  connect: 605,
  // The function of reference contains the OpenAPI document, which grows with every operation, and the guides. Every parameter and member
  // of a body has a description, and operations are found by the texts of their errors.
  reference: 890,
  // The function contains the OpenID Connect metadata, whose path is among those of users. A created user
  // or code is an attempt of Radar, whose rules and addresses are in it too.
  'user-management': 650,
  // A sign-in reads whether the organization of an address requires single sign-on, and Radar assesses it.
  social: 725,
  // The function contains what a change of an account needs: passwords, factors, memberships, providers and their pages; and whether an
  // operator may still act as the user.
  account: 695,
  // The function contains the pages of that requirement, and the consent page, which reads the rows of the OAuth server.
  pages: 825,
  // The function contains the portal's pages in English, and the guides of identity providers.
  portal: 630,
  // The files that every request loads: the client of the own service with the egress guard, and what a sign-in, a step-up and the
  // roles of operators need. The pages are some 140 KiB in separate files, one for each section of the menu, which are loaded with the
  // first request for a page of it, and so are the style sheet, the script and the pages outside of a session.
  console: 590,
};

/**
 * Functions that make more than 60 schemas when they are loaded: those of their operations. Each costs some 10 us of a cold
 * start, so schemas in files of which an area uses something else are left out of its bundle.
 */
const SCHEMAS: Readonly<Record<string, number>> = {
  // The schemas of all operations that open sessions, of registrations and their claims, and of resets of factors.
  'account-http': 315,
  'agents-http': 505,
  'api-keys-http': 180,
  // The list of events with its filters is an operation of its own next to the exports, and so are the five of exports of lists.
  'audit-logs-http': 440,
  // Explanations of sign-ins and limits of users, with the settings that they read; impersonations, with the roles of the operator.
  'authentication-http': 500,
  'authorization-http': 470,
  // The schemas of metadata, registrations, and the requests of each endpoint.
  'connect-http': 720,
  // The schemas of every event, and of search, attention, past states and the keys of the environment.
  'events-http': 1_190,
  'directory-sync-http': 440,
  'directory-sync-work': 90,
  // The targets of a flag have a list.
  'feature-flags-http': 220,
  'groups-http': 140,
  'messages-feedback': 80,
  'messages-http': 145,
  'messages-retry': 160,
  'messages-send': 160,
  'mfa-http': 230,
  'organizations-http': 245,
  // The claim of an agent, the settings that it reads, passkeys, recovery codes, the session of the account page, and the captcha
  // with its operations.
  'pages-http': 650,
  // The passkeys, their import, and the responses of authenticators.
  'passkeys-http': 195,
  'pipes-http': 565,
  // Teams, the environments of the stage, and proposals.
  'platform-http': 215,
  'portal-http': 140,
  // The schemas of attempts, lists, and the rule set with its conditions.
  'radar-http': 330,
  'roles-http': 250,
  'sessions-http': 190,
  'social-http': 260,
  // sso has connections, certificates, profiles, and attempts with their checks.
  'sso-http': 785,
  // The metadata of the OAuth server say how agents register: those settings are in it.
  'user-management-http': 795,
  'vault-http': 260,
  'webhooks-http': 240,
  'widgets-http': 85,
};

/**
 * The budgets of the service, printed with the figures. A change that exceeds one gives the reason and changes it here.
 */
export const budgets = {
  /** Serial AWS round trips with warm caches. A rejected call may take as many as an authenticated read. */
  roundTrips: { read: 1, mutation: 2, refusal: 1 },
  /** Serial AWS round trips of a page of the console itself, and its CPU time in ms. A grant is one round trip more. */
  pageRoundTrips: 2,
  pageCpuMs: 6,
  /** CPU time of a read of one record in the handler, without that of the stock DynamoDB client in turns, median in ms. */
  readCpuAboveClientMs: 0.25,
  /** Minified code of an area's HTTP function, in KiB. */
  bundleKib: (area: string): number => BUNDLE_KIB[area] ?? 580,
  /** Number of schemas that a function makes when it is loaded, counting each step of a chain that makes one. */
  schemas: (name: string): number => SCHEMAS[name] ?? 60,
  /** Module init of an area's HTTP function as a multiple of that of only the stock DynamoDB client. */
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
