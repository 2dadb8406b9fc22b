/** The suppressions of addresses, for other modules. */
export { findAddressSuppression, listSuppressions, type SuppressionRecord } from './suppression/entity.ts';
