/** The connections of organizations for other modules, and the users who must sign in through them. */
export { MAX_CONNECTIONS, SSO_PROVIDER } from './policy/entity.ts';
export {
  activeConnections,
  findOrganizationSso,
  type OrganizationConnection,
  type OrganizationSso,
  ungoverned,
  organizationSsoOfEmail as findSsoOfEmail,
} from './policy/find.ts';
export { findRequiredSso, readRequirement, type RequiredSso } from './policy/required.ts';
export { stageConnectionSummary, stageEndOfOrganizationSso, stageNewConnection } from './policy/stage.ts';
