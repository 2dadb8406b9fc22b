/** By whose word something is done, and what that word may do: see the table in README.md. */
export { coversAccount, type Justification, ownsAddress } from './authority/coverage.ts';
export { isChosenByPages, meetsDemand } from './authority/demand.ts';
export { admitMinting, type MintingVerdict, readCallerAuthority } from './authority/minting.ts';
export {
  type Authority,
  findProofTime,
  listOrganizations,
  organizationWord,
  readProofs,
  speaks,
} from './authority/proof.ts';
export {
  type AccountChange,
  type Entry,
  may,
  type Denial,
  type DenialReason,
  type Verdict,
} from './authority/rules.ts';
