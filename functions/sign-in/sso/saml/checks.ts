/** The checks of a SAML response, in their order. */
export const CHECKS = [
  'document',
  'structure',
  'algorithms',
  'certificates',
  'decryption',
  'signature',
  'status',
  'issuer',
  'destination',
  'subject',
  'confirmation',
  'in_response_to',
  'recipient',
  'audience',
  'time',
] as const;

export type CheckName = (typeof CHECKS)[number];

/** A check with its outcome. A check that was not reached has none after an earlier failure. */
export interface Check {
  readonly check: CheckName;
  readonly outcome: 'passed' | 'failed' | 'not_reached' | 'not_applicable';
  /** A sentence for the administrator of the connection, which the browser that sent the response never gets. */
  readonly detail?: string;
}

/** The outcomes of the checks of one response. */
export class CheckList {
  readonly #found = new Map<CheckName, Check>();

  pass(...checks: readonly CheckName[]): void {
    for (const check of checks) if (!this.#found.has(check)) this.#found.set(check, { check, outcome: 'passed' });
  }

  skip(...checks: readonly CheckName[]): void {
    for (const check of checks)
      if (!this.#found.has(check)) this.#found.set(check, { check, outcome: 'not_applicable' });
  }

  fail(check: CheckName, detail: string): void {
    if (this.#found.get(check)?.outcome !== 'failed') this.#found.set(check, { check, outcome: 'failed', detail });
  }

  /** Adds a check that passed, or one that failed if a sentence describes the error. */
  add(check: CheckName, fault: string | undefined): void {
    if (fault === undefined) this.pass(check);
    else this.fail(check, fault);
  }

  /** All checks, in their order. */
  all(): readonly Check[] {
    return CHECKS.map((check) => this.#found.get(check) ?? { check, outcome: 'not_reached' });
  }

  /** The first check that failed. */
  failed(): Check | undefined {
    return this.all().find(({ outcome }) => outcome === 'failed');
  }
}
