import { switchToOrganization } from '@workos-inc/authkit-nextjs';

export async function GET(request) {
  await switchToOrganization(request.nextUrl.searchParams.get('organization_id'), { returnTo: '/' });
}
