/**
 * The client of an attempt on a target that anyone can name, such as an email address. Attempts on the target are
 * counted per client, so that an attacker cannot use up the owner's attempts, and in total, so that many clients
 * together have a bounded number of guesses.
 */
export interface Caller {
  /** The client's address; absent if a back end does not forward it. */
  address?: string | undefined;
  /**
   * The key of a browser with which the target's owner has signed in before: it has a separate allowance, which no
   * other client can use up. Undefined for any other browser. It is only read if the other counters reject.
   */
  reserve?: (() => Promise<string | undefined>) | undefined;
}
