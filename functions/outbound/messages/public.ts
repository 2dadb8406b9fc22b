/** The suppressions of email addresses, for other modules. */
export {
  findAddressSuppression,
  isSuppressed,
  listSuppressions,
  type SuppressionRecord,
} from './suppression/entity.ts';
