mod sparse;
