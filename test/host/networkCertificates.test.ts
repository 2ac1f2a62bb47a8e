import { describeTlsRoutes } from './tlsRoutes.ts';

describeTlsRoutes(true);
