/**
 * The parameters of the address as they are now. A change of a filter starts from them and not from those of the last render
 * (`useSearchParams`): a list of hundreds of rows is rendered for a while, and a second change made meanwhile would undo the first.
 */
export const presentParams = (): URLSearchParams => new URLSearchParams(window.location.search);
