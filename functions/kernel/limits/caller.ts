/**
 * Who tries something at a target that anybody may name, such as an email address. The target is counted by caller, so that nobody
 * uses up what its owner may try, and altogether, so that many callers do not guess more than a bounded number of times.
 */
export interface Caller {
  /** The client's address; absent where a back end does not say whose call it is. */
  address?: string | undefined;
  /**
   * The key of a browser by which the target's owner has signed in: it has a reserve of its own, which nobody else can use up.
   * Undefined for any other. It is asked for only where the counters of everybody refuse.
   */
  reserve?: (() => Promise<string | undefined>) | undefined;
}
