mod choice;
mod dates_and_texts;
mod pictures;
