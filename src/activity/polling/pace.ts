/** Feeds that are polled as often as one would be; more of them share the requests. */
const feedsAtFullPace = 4;
/** While the view is hidden and news are to be told, they are asked for so many times less often. */
const hiddenPace = 5;
/** Milliseconds between two requests on average, whatever is open: what is left of an hour's 600 is for what a person does. */
const shortestGap = 10_000;

/**
 * How long it is from one round of polling to the next.
 *
 * @param seconds what the person has set; 0 or less for never.
 * @param feeds how many are asked for in a round, a request for each.
 * @returns milliseconds; undefined for no polling.
 */
export function pollingInterval(seconds: number, feeds: number, isVisible: boolean): number | undefined {
  if (!(seconds > 0)) {
    return undefined;
  }
  const share = Math.max(1, feeds / feedsAtFullPace);
  return Math.max(shortestGap * Math.max(1, feeds), seconds * 1000 * share * (isVisible ? 1 : hiddenPace));
}
