import * as Sentry from '@sentry/node';

// A program with error tracking as a newcomer would wire it: prints the status with which its error was received.
Sentry.init({ dsn: process.argv[2] ?? '' });
Sentry.getClient()?.on('afterSendEvent', (_, { statusCode }) => console.log(statusCode));
Sentry.captureException(new RangeError('Out of berths'));
await Sentry.close(5000);
