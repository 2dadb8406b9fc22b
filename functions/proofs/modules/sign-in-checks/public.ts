/** The rules and counters of a single proof: its method, its limits, its risk and the event of its outcome. */
export { type CountedBy, countSignIn, countWrongPassword } from './proof/limits.ts';
export { asksSecondFactor, isOpen, type Method, methodName } from './proof/method.ts';
export { emitFailure, emitProof, passkeyEvents, type Proof, proofEvents } from './proof/outcome.ts';
export { assessConfirmedSignIn, assessRisk, BLOCKED_MESSAGE, emitRisk, stageFailedRisk } from './proof/risk.ts';
