/** The holders of credentials for other modules: whether what justified a credential still holds. */
export { findHolderState, findStops, type Holder, type HolderState } from './holder/find.ts';
export { type End, endsCredential, isInForce } from './holder/rules.ts';
export { findStop, readStop, type StopKind, type StopRecord } from './stop/entity.ts';
