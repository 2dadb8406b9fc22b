/** Seconds after which a session of an impersonator ends, whatever the settings of sessions are. */
export const IMPERSONATION_SECONDS = 3_600;

/** The operator behind an impersonation. */
export interface ImpersonatingOperator {
  /** The operator's user in the environment of the operators. */
  operatorId: string;
  /** The session of that user, with which the impersonation ends; absent for an operator who signed in by a link. */
  operatorSessionId?: string | undefined;
}

/** An impersonation, in the code that begins it and in its session. */
export interface Impersonation extends ImpersonatingOperator {
  /** The impersonator as the contract shows it. */
  impersonator: { email: string; reason: string | null };
}
