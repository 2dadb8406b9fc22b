/** The functions of agents for other areas. */
export { endAgentsOfOrganization } from './work/end.ts';
