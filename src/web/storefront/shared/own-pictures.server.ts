import capsule from "../../images/capsule.webp";
import news1 from "../../images/news-1.webp";
import news2 from "../../images/news-2.webp";
import news3 from "../../images/news-3.webp";
import news4 from "../../images/news-4.webp";
import news5 from "../../images/news-5.webp";
import news6 from "../../images/news-6.webp";

const own: Readonly<Record<string, string>> = {
  capsule,
  "news-1": news1,
  "news-2": news2,
  "news-3": news3,
  "news-4": news4,
  "news-5": news5,
  "news-6": news6,
};

/** The address of a picture of the shop by its name; an uploaded picture is an address already. */
export const ownPicture = (picture: string): string => own[picture] ?? picture;
