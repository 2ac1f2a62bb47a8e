import { describeTlsRoutes } from '../../host/tlsRoutes.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);
describeTlsRoutes(false);
