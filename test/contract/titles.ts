/**
 * The titles of the contract tests that also apply to a deployment, which `npm run trial` runs on a stage. Each is a test
 * of several operations; `%s` is replaced by the variable part.
 */
export const deployable = {
  keys: 'responds with 401 without a valid key, and the response is the same for every kind of invalid key',
  limitedKeys: 'responds with 403 to a key that is limited to other areas, or to reading',
  otherEnvironments: 'responds to an id of another environment in the same way as to an unknown id',
  reads: 'returns a record of its own environment as declared',
  oddPaths: 'does not respond with 5xx to %s in its path',
  lists: 'responds as declared',
} as const;
